"""The explorer: one HTML file that shows a program on all levels and through all passes, with its lines linked.

Reading order: `kernels` and `contents` (the data of the page), `page` (the file). `explorer.html`, `explorer.css` and the
JavaScript files are put into the page unchanged; the page needs no server and no network.
"""

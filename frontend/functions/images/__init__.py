"""Functions on images and on tables of rows: padding, pooling, resampling, blocks of images, bags of rows.

Reading order: `padding`, `pooling`, `adaptive_pooling`, `resampling`, `grid_sampling`, `unfolding`, `embedding`.
"""

"""The input of the demo: scikit-learn's 1,797 images of handwritten digits, and weights trained on them."""

import warnings

import numpy as np
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

SEED = 0
HIDDEN = 32
ITERATIONS = 30


def images():
    """All images as rows of 64 pixels between 0 and 1, (1797, 64) float32, and the digits that they show."""
    pixels, digits = load_digits(return_X_y=True)
    return (pixels / 16).astype(np.float32), digits


def trained_classifier(pixels, digits):
    """A perceptron with one hidden layer, trained for a fixed number of passes over the images."""
    classifier = MLPClassifier((HIDDEN,), max_iter=ITERATIONS, random_state=SEED)
    with warnings.catch_warnings():
        # The demo needs weights, not the best ones: it stops before the training has converged.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return classifier.fit(pixels, digits)


def weights(classifier):
    """The classifier's weights and biases in the order of the layers, as float32."""
    layers = zip(classifier.coefs_, classifier.intercepts_, strict=True)
    return [np.ascontiguousarray(array, dtype=np.float32) for layer in layers for array in layer]


def split_images(share=0.8, seed=0):
    """The images and digits to train on, and those to test with: a fixed split of all in random order."""
    pixels, digits = images()
    order = np.random.default_rng(seed).permutation(len(digits))
    count = int(len(digits) * share)
    return tuple((pixels[part], digits[part]) for part in (order[:count], order[count:]))

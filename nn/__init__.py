"""Neural networks: parameters are plain nested dicts of arrays; modules are small frozen dataclasses of sizes and options.

    model = sw.nn.Sequential(sw.nn.Linear(64, 32), sw.relu, sw.nn.Linear(32, 10))
    params = model.init(key=0)
    optimizer = sw.optim.Adam(1e-3)
    state = optimizer.init(params)

    @sw.jit(donate_argnums=(0, 1))
    def step(params, state, x, labels):
        loss, grads = sw.value_and_grad(lambda params: sw.nn.cross_entropy(model(params, x), labels))(params)
        return *optimizer.update(params, grads, state), loss

The names of modules, of their options and of their parameters are those of torch, as are the layouts: the state dict of a torch
module of that name fits. There are two exceptions: LSTM and GRU have one layer, and so no `_l0` in the names of their
parameters; BatchNorm serves all ranks, and has its running statistics in a separate state. Modules work inside of jitted
functions and, lazily, outside of them.
"""

from .attention import MultiHeadAttention as MultiHeadAttention
from .checkpoints import CheckpointError as CheckpointError
from .checkpoints import load as load
from .checkpoints import save as save
from .initializers import kaiming_normal as kaiming_normal
from .initializers import kaiming_uniform as kaiming_uniform
from .initializers import normal as normal
from .initializers import uniform as uniform
from .initializers import xavier_normal as xavier_normal
from .initializers import xavier_uniform as xavier_uniform
from .keys import fold_in as fold_in
from .keys import split as split
from .layers import Conv1d as Conv1d
from .layers import Conv2d as Conv2d
from .layers import Conv3d as Conv3d
from .layers import Dropout as Dropout
from .layers import Embedding as Embedding
from .layers import Linear as Linear
from .losses import binary_cross_entropy_with_logits as binary_cross_entropy_with_logits
from .losses import cross_entropy as cross_entropy
from .losses import huber_loss as huber_loss
from .losses import l1_loss as l1_loss
from .losses import mse_loss as mse_loss
from .losses import nll_loss as nll_loss
from .module import Module as Module
from .module import Params as Params
from .module import Stateful as Stateful
from .normalization import BatchNorm as BatchNorm
from .normalization import GroupNorm as GroupNorm
from .normalization import LayerNorm as LayerNorm
from .normalization import RMSNorm as RMSNorm
from .recurrent import GRU as GRU
from .recurrent import LSTM as LSTM
from .recurrent import GRUCell as GRUCell
from .recurrent import LSTMCell as LSTMCell
from .sequential import Sequential as Sequential

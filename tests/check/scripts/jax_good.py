import jax
import jax.numpy as jnp
import optax

optimizer = optax.adam(1e-3)


def loss(params, x, y):
    return jnp.mean((x @ params - y) ** 2)


@jax.jit
def step(params, state, x, y):
    value, gradient = jax.value_and_grad(loss)(params, x, y)
    updates, state = optimizer.update(gradient, state)
    return optax.apply_updates(params, updates), state, value


params = jnp.zeros((4, 1))
state = optimizer.init(params)
for number, (x, y) in enumerate(batches):
    params, state, value = step(params, state, x, y)
    if number % 100 == 0:
        print(number, float(value))

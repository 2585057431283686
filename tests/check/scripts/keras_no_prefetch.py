import tensorflow as tf

for card in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(card, True)
data = tf.data.Dataset.from_tensor_slices((x, y)).map(prepare).batch(32)  # ! tf-no-prefetch
model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
model.compile("adam", "mse")
model.fit(data, epochs=3)

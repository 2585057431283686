import tensorflow as tf

first = tf.zeros([1])
for card in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(card, True)  # ! tf-growth-too-late
data = tf.data.Dataset.from_tensor_slices((x, y)).map(prepare).batch(32).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
model.compile("adam", "mse")
model.fit(data, epochs=3)

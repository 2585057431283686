import tensorflow as tf

print(tf.config.list_physical_devices("GPU"))
data = tf.data.Dataset.from_tensor_slices((x, y)).map(prepare).batch(32).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
model.compile("adam", "mse")
model.fit(data, epochs=3)  # ! tf-takes-all-memory

from transformers import AutoModelForSequenceClassification, Trainer, TrainingArguments

model = AutoModelForSequenceClassification.from_pretrained("some/model")
trainer = Trainer(model=model, args=TrainingArguments("out", bf16=True), train_dataset=data)
trainer.train()

"""What listens to speech and says something measurable about it. Loaded once, used by evaluation and training alike."""

"""From what a person types to what a model can say: lexicon, phonemes, tokenizer, speaker turns. No torch, no audio."""

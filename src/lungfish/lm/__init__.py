"""The Dual-AR language model: prompt in, codes out. It knows integers only; waveforms are the codec's business."""

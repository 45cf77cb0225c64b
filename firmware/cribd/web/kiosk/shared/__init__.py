"""Code that several pages share: sessions behind a PIN, snapshots as JSON, words, style and scripts."""

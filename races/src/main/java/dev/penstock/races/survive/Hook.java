package dev.penstock.races.survive;

/** The places where a flow calls user code. */
enum Hook {
    DEDUPE_KEY,
    DEDUPE_FINGERPRINT,
    STORE_CLAIM,
    STORE_END,
    STORE_RELEASE,
    STORE_FIND,
    CODEC_ENCODE,
    CODEC_DECODE,
    CODEC_KEEPS,
    RETRY_IDEMPOTENT,
    PRIORITY,
    TARGET_BEFORE,
    TARGET_AFTER
}

package dev.penstock.gateway.migrate;

/**
 * A property of an older pool.
 *
 * @param name the name in the manual of that pool
 * @param use its meaning
 * @param why why it is dropped; empty if it is not
 */
record OldName(String name, OldUse use, String why) {
    OldName(String name, OldUse use) {
        this(name, use, "");
    }
}

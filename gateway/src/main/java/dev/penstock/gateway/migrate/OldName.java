package dev.penstock.gateway.migrate;

/**
 * A property of an older pool.
 *
 * @param name as that pool's manual has it
 * @param use what it says
 * @param why why it is not carried over, or needs not be
 */
record OldName(String name, OldUse use, String why) {
    OldName(String name, OldUse use) {
        this(name, use, "");
    }
}

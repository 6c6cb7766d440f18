package dev.penstock.lab.race;

import java.util.function.Consumer;

/** Runs one block of one contestant, in this JVM or another. */
interface BlockRunner {
    /**
     * Runs the block to its end.
     *
     * @param block the block
     * @param scene its environment, open
     * @param progress receives progress lines
     * @throws InterruptedException when the race is stopped; nothing of the block runs any more then
     * @throws BlockFailed when the block has no result
     */
    BlockResult run(Block block, Scene scene, Consumer<String> progress) throws InterruptedException, BlockFailed;

    /** A block without a result; the message is one line with the reason. */
    final class BlockFailed extends Exception {
        private static final long serialVersionUID = 1;

        BlockFailed(String why, Throwable cause) {
            super(why, cause);
        }

        BlockFailed(String why) {
            super(why);
        }

        /** A block that failed with an exception. */
        static BlockFailed by(Throwable thrown) {
            String message = thrown.getMessage();
            return new BlockFailed(
                    thrown.getClass().getSimpleName()
                            + (message == null
                                    ? ""
                                    : ": " + message.lines().findFirst().orElse("")),
                    thrown);
        }
    }
}

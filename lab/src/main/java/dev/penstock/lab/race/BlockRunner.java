package dev.penstock.lab.race;

import java.util.function.Consumer;

/** Runs one block of one contestant, here or elsewhere. */
interface BlockRunner {
    /**
     * Runs it to its end.
     *
     * @param block which
     * @param scene what surrounds it, open
     * @param progress told a line now and then
     * @throws InterruptedException when the race is over; nothing of the block runs any more then
     * @throws BlockFailed when it gave no figures
     */
    BlockResult run(Block block, Scene scene, Consumer<String> progress) throws InterruptedException, BlockFailed;

    /** A block that gave no figures; its message is one line that says why. */
    final class BlockFailed extends Exception {
        private static final long serialVersionUID = 1;

        BlockFailed(String why, Throwable cause) {
            super(why, cause);
        }

        BlockFailed(String why) {
            super(why);
        }

        /** A block that ended with something thrown. */
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

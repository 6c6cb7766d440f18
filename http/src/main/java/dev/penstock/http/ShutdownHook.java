package dev.penstock.http;

/** Does something when the JVM exits, unless it was forgotten before: the JVM would hold on to a closed target for ever. */
final class ShutdownHook {
    private final Thread thread;

    private ShutdownHook(Thread thread) {
        this.thread = thread;
    }

    /**
     * A hook that is set.
     *
     * @throws IllegalStateException the JVM is about to exit
     */
    static ShutdownHook running(Runnable work) {
        Thread thread = new Thread(work, "penstock-close");
        Runtime.getRuntime().addShutdownHook(thread);
        return new ShutdownHook(thread);
    }

    void forget() {
        try {
            boolean _ = Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            // The JVM is about to exit: it runs.
        }
    }
}

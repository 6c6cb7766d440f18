package dev.penstock.http;

/** Runs work when the JVM exits. Must be removed when the target is closed; otherwise the JVM would keep it reachable. */
final class ShutdownHook {
    private final Thread thread;

    private ShutdownHook(Thread thread) {
        this.thread = thread;
    }

    /**
     * Registers a hook.
     *
     * @throws IllegalStateException the JVM is shutting down
     */
    static ShutdownHook running(Runnable work) {
        Thread thread = new Thread(work, "penstock-close");
        Runtime.getRuntime().addShutdownHook(thread);
        return new ShutdownHook(thread);
    }

    void remove() {
        try {
            boolean _ = Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            // The JVM is shutting down, and the hook runs.
        }
    }
}

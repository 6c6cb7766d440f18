package dev.penstock.cli;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a measuring command on SIGTERM or Ctrl-C: interrupts its thread, prints one line, and exits with 1. By default
 * the JVM would print nothing and exit with 128 + the signal, which is not a documented exit code.
 */
final class StopSignal {
    /** After this time the JVM is halted; it does not handle a second Ctrl-C. */
    private static final long TIMEOUT_SECONDS = 10;

    private final Thread command = Thread.currentThread();
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "penstock-stop");

    private StopSignal() {}

    /** Does the work of a command on this thread. */
    static int guard(Subcommand command, Callable<Integer> work) throws Exception {
        StopSignal signal = new StopSignal();
        Runtime.getRuntime().addShutdownHook(signal.hook);
        try {
            return work.call();
        } catch (InterruptedException stopped) {
            command.err().println("penstock: stopped before the end, so there is no result; use a shorter --for");
            return CommandLineExit.FAILED;
        } finally {
            command.out().flush();
            signal.over();
        }
    }

    private void over() {
        over.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException stopping) {
            // The hook is already running and ends the JVM.
        }
    }

    private void stop() {
        command.interrupt();
        try {
            over.await(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(CommandLineExit.FAILED);
    }
}

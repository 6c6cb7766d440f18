package dev.penstock.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a measuring command end by itself on SIGTERM or Ctrl-C: its thread is interrupted, says so in one line, and the exit
 * code is 1. The JVM's own end would say nothing and exit with 128 + the signal, which is none of the documented codes.
 */
final class StopSignal {
    /** A command that does not end by then is ended; the JVM takes no second Ctrl-C. */
    private static final long PATIENCE_SECONDS = 10;

    private final Thread command = Thread.currentThread();
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "penstock-stop");

    private StopSignal() {}

    /** Runs a command on this thread. */
    static int guard(PrintWriter err, Callable<Integer> command) throws Exception {
        StopSignal signal = new StopSignal();
        Runtime.getRuntime().addShutdownHook(signal.hook);
        try {
            return command.call();
        } catch (InterruptedException stopped) {
            err.println("penstock: stopped before its end, so there is no result; a shorter --for ends by itself");
            err.flush();
            return CommandLineExit.FAILED;
        } finally {
            signal.over();
        }
    }

    private void over() {
        over.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException stopping) {
            // The hook runs already, and now ends the JVM.
        }
    }

    private void stop() {
        command.interrupt();
        try {
            over.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(CommandLineExit.FAILED);
    }
}

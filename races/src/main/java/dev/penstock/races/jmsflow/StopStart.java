package dev.penstock.races.jmsflow;

import dev.penstock.races.messages.ConsumeCourse;
import dev.penstock.races.messages.MessageWork;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Spring's container with an asynchronous handler, stopped when too many messages are in flight and started again at 70
 * %, the default of CXF 3. It accepts messages received while stopping, so that they are not lost.
 *
 * <p>A single thread stops and starts it: if handler threads decided, one could stop the container after the last of
 * them has checked, and nobody would start it again.
 */
final class StopStart extends SpringConsumer {
    private static final int RESTART_AT = ConsumeCourse.BOUND * 7 / 10;

    private final Semaphore changed = new Semaphore(0);
    private final Thread controller =
            Thread.ofPlatform().daemon().name("stop-start").unstarted(this::stopAndStart);
    private volatile boolean closed;

    StopStart(String url, MessageWork handling) {
        super(url, handling, Duration.ofSeconds(1));
        container.setAcceptMessagesWhileStopping(true);
        start();
        controller.start();
    }

    @Override
    void handle(int number) {
        handling.suspend(number, this::signal);
        signal();
    }

    private void signal() {
        int inFlight = handling.inFlight();
        if (inFlight >= ConsumeCourse.BOUND || inFlight <= RESTART_AT) {
            changed.release();
        }
    }

    private void stopAndStart() {
        boolean running = true;
        while (!closed) {
            changed.acquireUninterruptibly();
            changed.drainPermits();
            int inFlight = handling.inFlight();
            if (running && inFlight >= ConsumeCourse.BOUND) {
                container.stop();
                running = false;
            } else if (!running && inFlight <= RESTART_AT) {
                container.start();
                running = true;
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        changed.release();
        try {
            controller.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        super.close();
    }
}

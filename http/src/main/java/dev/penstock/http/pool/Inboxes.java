package dev.penstock.http.pool;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Inboxes that nobody needs now: a connection has one only from the moment that bytes have come until they were read, so
 * however many wait for an answer, there are a few. Safe for many threads.
 */
final class Inboxes {
    private final Deque<Inbox> spare = new ConcurrentLinkedDeque<>();

    Inbox take() {
        Inbox inbox = spare.pollFirst();
        return inbox == null ? new Inbox() : inbox;
    }

    void give(Inbox inbox) {
        inbox.clear();
        spare.addFirst(inbox);
    }
}

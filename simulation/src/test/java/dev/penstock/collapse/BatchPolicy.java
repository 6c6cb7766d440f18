package dev.penstock.collapse;

import dev.penstock.BatchCounts.SendReason;

/** Decides in the simulator when an open batch leaves: the controller under test, or what it is compared with. */
interface BatchPolicy {
    /** How many requests a batch has at most. */
    int most();

    /** A batch was opened. */
    void opened(long now);

    /** Whether the open batch leaves. */
    WindowDecision decide(long now, int count, long last, boolean full);

    /** The open batch leaves; its call. */
    Out left(long now, int count, long last);

    /** A call on its way. */
    interface Out {
        /** It is sent, with its permit. */
        void sent(long now, int items);

        /** It is back, while the open batch has so many requests. */
        void returned(long now, int count, long last);
    }

    /** The controller under test. */
    record Controlled(WindowController window, CallTime callTime, int limit) implements BatchPolicy {
        static Controlled of(double share, int limit) {
            CallTime callTime = new CallTime();
            return new Controlled(new WindowController(share, callTime, () -> -1), callTime, limit);
        }

        @Override
        public int most() {
            return Math.min(limit, window.maxSize());
        }

        @Override
        public void opened(long now) {
            window.opened(now);
        }

        @Override
        public WindowDecision decide(long now, int count, long last, boolean full) {
            return window.decide(now, count, last, full, Long.MAX_VALUE);
        }

        @Override
        public Out left(long now, int count, long last) {
            return new Sent(this, window.closed(now, count, last));
        }
    }

    /** A call of the controller under test. */
    final class Sent implements Out {
        private final Controlled policy;
        private final BatchMerging.Call call;
        private long sentAt;

        private Sent(Controlled policy, BatchMerging.Call call) {
            this.policy = policy;
            this.call = call;
        }

        @Override
        public void sent(long now, int size) {
            sentAt = now;
            call.sent(now);
        }

        @Override
        public void returned(long now, int count, long last) {
            policy.callTime.sample(now - sentAt);
            policy.window.returned(now, call, true, count, last);
        }
    }

    /** A window of a fixed length from the first request of a batch on; 0 sends each request by itself. */
    final class Fixed implements BatchPolicy {
        private static final Out NOTHING_LEARNED = new Out() {
            @Override
            public void sent(long now, int items) {}

            @Override
            public void returned(long now, int count, long last) {}
        };

        private final long nanos;
        private final int most;
        private long openedAt;

        private Fixed(long nanos, int most) {
            this.nanos = nanos;
            this.most = most;
        }

        static Fixed ofMillis(double millis, int most) {
            return new Fixed((long) (millis * 1e6), millis == 0 ? 1 : most);
        }

        @Override
        public int most() {
            return most;
        }

        @Override
        public void opened(long now) {
            openedAt = now;
        }

        @Override
        public WindowDecision decide(long now, int count, long last, boolean full) {
            if (full) {
                return new WindowDecision.Closed(SendReason.FULL);
            }
            return now - openedAt >= nanos
                    ? new WindowDecision.Closed(SendReason.BUDGET)
                    : new WindowDecision.Open(openedAt + nanos, Integer.MAX_VALUE);
        }

        @Override
        public Out left(long now, int count, long last) {
            return NOTHING_LEARNED;
        }
    }
}

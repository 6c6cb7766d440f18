package dev.penstock.races.collapse;

import dev.penstock.Service;

/** A contestant in front of the API: blocks its caller, a virtual thread, until the answer is there. Safe for many threads. */
interface Batcher extends Service<Long, Long>, AutoCloseable {
    /** One that has nothing to close. */
    static Batcher of(Service<Long, Long> service) {
        return new Batcher() {
            @Override
            public Long call(Long item) throws Exception {
                return service.call(item);
            }

            @Override
            public void close() {}
        };
    }

    /** Ends its threads; waits for nothing. */
    @Override
    void close();
}

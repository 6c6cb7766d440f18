package dev.penstock.races.collapse;

import dev.penstock.Service;

/** A contestant in front of the API: blocks its caller, a virtual thread, until the answer is there. Safe for many threads. */
interface BatchingClient extends Service<Long, Long>, AutoCloseable {
    /** One that has nothing to close. */
    static BatchingClient of(Service<Long, Long> service) {
        return new BatchingClient() {
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

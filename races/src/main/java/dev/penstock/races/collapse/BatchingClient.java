package dev.penstock.races.collapse;

import dev.penstock.Service;

/** A contestant in front of the API: blocks its caller, a virtual thread, until the answer is there. Thread-safe. */
interface BatchingClient extends Service<Long, Long>, AutoCloseable {
    /** A client with nothing to close. */
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

    /** Ends its threads without waiting. */
    @Override
    void close();
}

package dev.penstock;

/** Declares that a service honors deadlines. A class, not a lambda: see the design note of {@code dev.penstock.flow}. */
record HonoringDeadline<Q, R>(Service<Q, R> service) implements Service<Q, R> {
    @Override
    public R call(Q request) throws Exception {
        return service.call(request);
    }

    @Override
    public boolean honorsDeadline() {
        return true;
    }
}

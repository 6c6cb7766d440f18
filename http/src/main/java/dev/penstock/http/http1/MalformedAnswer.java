package dev.penstock.http.http1;

import java.io.IOException;

/** The received bytes are not a valid answer. */
public final class MalformedAnswer extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param what what is wrong, such as "more than 200 header fields" */
    public MalformedAnswer(String what) {
        super(what);
    }
}

package dev.penstock.races.httppool;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Turns what libraries throw into endings, the same way for all: what could not connect failed, what found no connection
 * in the pool was rejected, and of all else nobody can tell what became of it.
 */
final class ExceptionEndings {
    private static final int DEEPEST_CAUSE = 10;

    private ExceptionEndings() {}

    /** No connection came free in time. */
    static Rejected pool(Exception thrown) {
        return new Rejected(Rejected.Cause.POOL, said(thrown), Duration.ofSeconds(1), thrown);
    }

    /** No connection could be made. */
    static Failed connect(Exception thrown) {
        return new Failed(Failed.Cause.CONNECT, said(thrown), thrown);
    }

    /** The ending for anything that a library throws, by the first of its causes that tells. */
    static Unanswered of(Exception thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++, cause = cause.getCause()) {
            switch (cause) {
                case Unanswered ending -> {
                    return ending;
                }
                case ConnectException _,
                        NoRouteToHostException _,
                        UnknownHostException _,
                        SSLHandshakeException _,
                        SSLPeerUnverifiedException _,
                        HttpConnectTimeoutException _ -> {
                    return connect(thrown);
                }
                case SocketTimeoutException _, HttpTimeoutException _, TimeoutException _ -> {
                    return new Unknown(Unknown.Cause.TIMEOUT, said(thrown), thrown);
                }
                case InterruptedException _ -> {
                    return new Unknown(Unknown.Cause.INTERRUPTED, said(thrown), thrown);
                }
                default -> {}
            }
        }
        return new Unknown(Unknown.Cause.CLOSED, said(thrown), thrown);
    }

    private static String said(Exception thrown) {
        return String.valueOf(thrown.getMessage());
    }
}

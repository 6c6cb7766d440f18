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
 * Maps exceptions of libraries to endings, the same way for all: a failed connect is failed, no free pooled connection
 * is rejected, everything else is unknown.
 */
final class ExceptionEndings {
    private static final int DEEPEST_CAUSE = 10;

    private ExceptionEndings() {}

    /** No connection became free in time. */
    static Rejected pool(Exception thrown) {
        return new Rejected(Rejected.Cause.POOL, message(thrown), Duration.ofSeconds(1), thrown);
    }

    /** No connection could be opened. */
    static Failed connect(Exception thrown) {
        return new Failed(Failed.Cause.CONNECT, message(thrown), thrown);
    }

    /** The ending of any exception of a library, by its first meaningful cause. */
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
                    return new Unknown(Unknown.Cause.TIMEOUT, message(thrown), thrown);
                }
                case InterruptedException _ -> {
                    return new Unknown(Unknown.Cause.INTERRUPTED, message(thrown), thrown);
                }
                default -> {}
            }
        }
        return new Unknown(Unknown.Cause.CLOSED, message(thrown), thrown);
    }

    private static String message(Exception thrown) {
        return String.valueOf(thrown.getMessage());
    }
}

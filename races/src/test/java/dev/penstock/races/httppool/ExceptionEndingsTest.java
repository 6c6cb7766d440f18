package dev.penstock.races.httppool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.Test;

class ExceptionEndingsTest {
    @Test
    void connectErrorIsAFailure() {
        assertThat(ExceptionEndings.of(new ConnectException("refused")).why()).isEqualTo(Failed.Cause.CONNECT);
        assertThat(ExceptionEndings.of(new HttpConnectTimeoutException("slow")).why())
                .isEqualTo(Failed.Cause.CONNECT);
        assertThat(ExceptionEndings.of(new SSLHandshakeException("no trust")).why())
                .isEqualTo(Failed.Cause.CONNECT);
        assertThat(ExceptionEndings.of(new SSLPeerUnverifiedException("another name"))
                        .why())
                .isEqualTo(Failed.Cause.CONNECT);
    }

    @Test
    void poolTimeoutIsARejection() {
        assertThat(ExceptionEndings.pool(new IOException("none is free")).why()).isEqualTo(Rejected.Cause.POOL);
    }

    @Test
    void otherExceptionsAreUnknown() {
        assertThat(ExceptionEndings.of(new SSLException("closed")).why()).isEqualTo(Unknown.Cause.CLOSED);
        assertThat(ExceptionEndings.of(new SocketException("Connection reset")).why())
                .isEqualTo(Unknown.Cause.CLOSED);
        assertThat(ExceptionEndings.of(new SocketTimeoutException("slow")).why())
                .isEqualTo(Unknown.Cause.TIMEOUT);
        assertThat(ExceptionEndings.of(new HttpTimeoutException("slow")).why()).isEqualTo(Unknown.Cause.TIMEOUT);
        assertThat(ExceptionEndings.of(new InterruptedException()).why()).isEqualTo(Unknown.Cause.INTERRUPTED);
        assertThat(ExceptionEndings.of(new IllegalStateException("pool shut down"))
                        .why())
                .isEqualTo(Unknown.Cause.CLOSED);
    }

    @Test
    void usesTheCauseOfAnException() {
        Exception wrapped = new ExecutionException(new IOException(new ConnectException("refused")));

        assertThat(ExceptionEndings.of(wrapped).why()).isEqualTo(Failed.Cause.CONNECT);
    }

    @Test
    void keepsAnEnding() {
        Unknown ending = new Unknown(Unknown.Cause.GARBLED, "not an answer");

        assertThat(ExceptionEndings.of(new ExecutionException(ending))).isSameAs(ending);
    }
}

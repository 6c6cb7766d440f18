package dev.penstock.http.source;

import dev.penstock.Service;
import dev.penstock.flow.Flow;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.tls.ServerTls;
import dev.penstock.http.tls.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;

/** A program that serves a flow and a page, prints the ports of both, and ends with its input. Arguments: the idle time of connections, the URL of a target; property {@code tls}: a file with certificate and key. */
final class ServingProgram {
    private ServingProgram() {}

    private static Service<HttpCall, HttpAnswer> flow(Service<HttpCall, HttpAnswer> hello, String... arguments) {
        return arguments.length < 2
                ? Flow.named("hello").to(hello)
                : Flow.named("hello").deadline(Duration.ofSeconds(2)).to(HttpTarget.of(arguments[1]));
    }

    public static void main(String[] arguments) throws IOException {
        Service<HttpCall, HttpAnswer> hello = call -> HttpAnswer.of(200, "hello");
        HttpSourceBuilder builder = HttpSource.on(0).route("/", "hello", flow(hello, arguments));
        if (arguments.length > 0) {
            builder.idleTime(Duration.parse(arguments[0]));
        }
        String certificate = System.getProperty("tls");
        if (certificate != null) {
            builder.tls(ServerTls.of(Tls.platform().presenting(Path.of(certificate), Path.of(certificate)))
                    .open());
        }
        HttpSource source = builder.build();
        source.start();
        PageServer pages = PageServer.at(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                0,
                (request, client) -> HttpAnswer.of(200, "hello"),
                null);
        pages.start();
        // A jar that cannot be opened is never looked at again: all are open before descriptors run out.
        ClassLoader.getSystemClassLoader()
                .getResources("META-INF/MANIFEST.MF")
                .asIterator()
                .forEachRemaining(jar -> {});
        System.out.println(source.port());
        System.out.println(pages.port());
        // Until the input ends.
        int _ = System.in.read();
        Runtime.getRuntime().halt(0);
    }
}

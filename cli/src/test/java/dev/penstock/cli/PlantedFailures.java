package dev.penstock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.jms.broker.EmbeddedBroker;
import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.Programs;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.tcp.TcpFault;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import dev.penstock.lab.simulate.tcp.Way;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/** Failures outside a gateway, planted with real programs where there are some. Each returns the flows that meet it. */
final class PlantedFailures implements AutoCloseable {
    /** The beginning of the command line of the gateway. */
    final List<String> prefix = new ArrayList<>();

    private final Path folder;
    private final Path log;
    private final Deque<AutoCloseable> planted = new ArrayDeque<>();

    PlantedFailures(Path folder) {
        this.folder = folder;
        this.log = folder.resolve("programs.log");
    }

    private <T extends AutoCloseable> T plant(T failure) {
        planted.push(failure);
        return failure;
    }

    private static String flow(String to, String... more) {
        return """
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    deadline: 4s
                    to: { %s }
                    %s
                """.formatted(to, String.join("\n    ", more));
    }

    static String http(String url, String... more) {
        return flow("http: { url: \"" + url + "\" }", more);
    }

    private static String jdbc(String url, String user, String statement) {
        return flow("jdbc: { url: \"%s\", user: %s, password: wrong, statement: \"%s\" }"
                .formatted(url.replaceAll("\\?.*", ""), user, statement));
    }

    /** Runs a program in the folder; the test is skipped where it fails. */
    private void run(String command) throws Exception {
        String[] words = command.split(" ");
        assumeTrue(Programs.find(words[0]).isPresent(), () -> Programs.missing(words[0]));
        Process process = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        assumeTrue(process.waitFor() == 0, () -> "not possible here: " + command);
    }

    private String server(HttpHandler handler) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", handler);
        server.start();
        plant(() -> server.stop(0));
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/pay";
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status, body.length());
            exchange.getResponseBody().write(body.getBytes(UTF_8));
        }
    }

    String expiredCertificate() throws Exception {
        run("openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj /CN=authority -days 30");
        run("openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost");
        run("openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days -1");
        int port = StablePort.free();
        String command = "%s s_server -accept %d -www -cert %s -key %s"
                .formatted(Programs.path("openssl"), port, folder.resolve("server.pem"), folder.resolve("server.key"));
        Process server = Programs.serving(List.of(command.split(" ")), log, () -> Programs.isListening(port));
        plant(() -> Programs.kill(server));
        return flow("http: { url: \"https://localhost:" + port + "/\", tls: { ca: ca.pem } }");
    }

    String wrongPassword() throws Exception {
        RealPostgres database = plant(RealPostgres.start());
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create role shop login password 'right'");
            ResultSet file = statement.executeQuery("show hba_file");
            file.next();
            Files.writeString(Path.of(file.getString(1)), "host all all all scram-sha-256\n");
            statement.execute("select pg_reload_conf()");
        }
        return jdbc(database.url(), "shop", "select 1");
    }

    String missingTable() throws IOException {
        return jdbc(plant(RealPostgres.start()).url(), "postgres", "insert into payments(id) values (1)");
    }

    /** The gateway's statement locks the first row and waits for the second; then this wants the first. */
    String deadlock() throws Exception {
        String url = plant(RealPostgres.start()).url();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("create table stock as select id, 0 as n from generate_series(1, 2) id");
        }
        CountDownLatch locked = new CountDownLatch(1);
        Thread other = Thread.ofVirtual().start(() -> crossLocks(url, locked));
        plant(other::interrupt);
        locked.await();
        return jdbc(url, "postgres", "update stock set n = n + 1 where id in (1, 2)");
    }

    private static void crossLocks(String url, CountDownLatch locked) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("set deadlock_timeout = '1h'");
            connection.setAutoCommit(false);
            statement.execute("update stock set n = 1 where id = 2");
            locked.countDown();
            ResultSet waiting;
            do {
                LockSupport.parkNanos(5_000_000);
                waiting = statement.executeQuery("select count(*) > 0 from pg_locks where not granted");
                waiting.next();
            } while (!waiting.getBoolean(1) && !Thread.currentThread().isInterrupted());
            statement.execute("update stock set n = 1 where id = 1");
            connection.commit();
        } catch (SQLException over) {
            return;
        }
    }

    String brokerDiskFull() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        run("mount -t tmpfs -o size=128m tmpfs " + disk);
        plant(() -> run("umount -l " + disk));
        EmbeddedBroker broker = plant(EmbeddedBroker.on(disk.resolve("broker"), "127.0.0.1", 0));
        Files.write(disk.resolve("filler"), new byte[(int) (disk.toFile().getUsableSpace() - (1 << 20))]);
        return flow("jms: { url: \"" + broker.url() + "\", queue: payments }");
    }

    String busy() throws IOException {
        return http(server(exchange -> answer(exchange, 503, "maintenance until 14:00")));
    }

    String garbledChunk() throws IOException {
        ServerSocket server = plant(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                garble(server);
            }
        });
        return http("http://127.0.0.1:" + server.getLocalPort() + "/pay");
    }

    private static void garble(ServerSocket server) {
        String answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\npaid!\r\nzz\r\n";
        try (Socket client = server.accept()) {
            int _ = client.getInputStream().read(new byte[8192]);
            client.getOutputStream().write(answer.getBytes(UTF_8));
        } catch (IOException closed) {
            return;
        }
    }

    String reset() throws IOException {
        String url = server(exchange -> answer(exchange, 200, "p".repeat(5_000)));
        int port = URI.create(url).getPort();
        TcpSimulator way = plant(TcpSimulator.to("127.0.0.1", port).start());
        way.inject(new TcpFault.Break(Way.TO_CLIENT, 1_000, Closing.RST, 1_000));
        return http("http://127.0.0.1:" + way.port() + "/pay");
    }

    /** A DNS server that never answers, for the gateway only. */
    String slowDns() throws Exception {
        Path servers = Files.writeString(folder.resolve("resolv.conf"), "nameserver 127.9.8.7\n");
        String mount = "mount --bind " + servers + " /etc/resolv.conf";
        run("unshare -m " + mount);
        plant(new DatagramSocket(53, InetAddress.getByName("127.9.8.7")));
        prefix.addAll(List.of("unshare", "-m", "sh", "-c", mount + " && exec \"$@\"", "sh"));
        return http("http://gateway.example/pay");
    }

    String slow(String... more) throws IOException {
        return http(
                server(exchange -> {
                    LockSupport.parkNanos(500_000_000);
                    answer(exchange, 200, "paid");
                }),
                more);
    }

    /** The target closes the connection of each message. */
    String poison() throws IOException {
        return http(server(HttpExchange::close))
                        .replace("http: { port: 0, path: /pay }", "jms: { url: embedded, queue: payments }")
                + """
                  accept:
                    from: { http: { port: 0, path: /pay } }
                    to: { jms: { url: embedded, queue: payments } }
                """;
    }

    String oneKey() throws IOException {
        return http(server(exchange -> answer(exchange, 200, "paid")), "dedupe: { key: Idempotency-Key }");
    }

    @Override
    public void close() throws Exception {
        while (!planted.isEmpty()) {
            planted.pop().close();
        }
    }
}

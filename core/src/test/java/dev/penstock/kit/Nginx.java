package dev.penstock.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A real nginx with one server. */
public final class Nginx implements AutoCloseable {
    private final Process process;

    private Nginx(Process process) {
        this.process = process;
    }

    /**
     * Starts one, and waits until it listens. The test is skipped where nginx is missing.
     *
     * @param folder for its files
     * @param port on the loopback interface, for its {@code listen}
     * @param http the directives within {@code http}; a server has no log unless it sets {@code access_log} itself
     */
    public static Nginx start(Path folder, int port, String http) throws IOException {
        String program = Programs.found("nginx", "nginx");
        Path conf = Files.writeString(folder.resolve("nginx.conf"), """
                daemon off;
                master_process off;
                pid %1$s/nginx.pid;
                events { worker_connections 512; }
                http {
                  access_log off;
                  client_body_temp_path %1$s/body;
                  proxy_temp_path %1$s/proxy;
                  fastcgi_temp_path %1$s/fastcgi;
                  uwsgi_temp_path %1$s/uwsgi;
                  scgi_temp_path %1$s/scgi;
                  %2$s
                }
                """.formatted(folder, http));
        Path log = folder.resolve("nginx.txt");
        List<String> command = List.of(program, "-p", folder.toString(), "-e", log.toString(), "-c", conf.toString());
        return new Nginx(Programs.serving(command, log, () -> Programs.isListening(port)));
    }

    /** Ends it, after it has written its logs. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.qpid.server.SystemLauncher;

/** Starts Qpid Broker-J by AMQP 1.0 alone, with queues on disk that are there from the start. */
final class QpidBroker {
    /**
     * Runs one.
     *
     * @param args its folder, its port, and the names of its queues
     */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        StringBuilder queues = new StringBuilder();
        for (int place = 2; place < args.length; place++) {
            queues.append(queues.isEmpty() ? "" : ", ").append("{\"name\": \"%s\", \"type\": \"standard\"}".formatted(args[place]));
        }
        // Read by the broker when its folder is empty.
        String host = "{\"type\": \"DERBY\", \"nodeAutoCreationPolicies\": [], \"queues\": [%s]}".formatted(queues);
        Path first = folder.resolve("first.json");
        Files.writeString(first, """
                {"name": "broker", "modelVersion": "9.1",
                 "authenticationproviders": [{"name": "all", "type": "Anonymous"}],
                 "ports": [{"name": "amqp", "type": "AMQP", "port": %s, "bindingAddress": "127.0.0.1",
                            "authenticationProvider": "all", "protocols": ["AMQP_1_0"],
                            "virtualhostaliases": [{"name": "host", "type": "hostnameAlias"}]}],
                 "virtualhostnodes": [{"name": "default", "type": "JSON", "defaultVirtualHostNode": "true",
                                       "virtualHostInitialConfiguration": "%s"}]}
                """.formatted(args[1], host.replace("\"", "\\\"")));
        new SystemLauncher().startup(Map.of(
                "type", "JSON",
                "storePath", folder.resolve("config.json").toString(),
                "initialConfigurationLocation", first.toUri().toString(),
                "context", Map.of("qpid.work_dir", folder.toString()),
                "startupLoggedToSystemOut", "true"));
        System.out.println("@broker up");
        // Ends with whoever started it.
        while (System.in.read() >= 0) {}
        Runtime.getRuntime().halt(0);
    }
}

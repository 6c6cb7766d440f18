import java.io.File;
import org.apache.activemq.broker.BrokerService;

/** Starts ActiveMQ Classic by AMQP 1.0 alone, with its messages on disk. */
final class ClassicBroker {
    /**
     * Runs one.
     *
     * @param args its folder, its port
     */
    public static void main(String[] args) throws Exception {
        BrokerService broker = new BrokerService();
        broker.setDataDirectoryFile(new File(args[0]));
        broker.setUseJmx(false);
        broker.addConnector("amqp://127.0.0.1:" + args[1]);
        broker.start();
        broker.waitUntilStarted();
        System.out.println("@broker up");
        // Ends with whoever started it.
        while (System.in.read() >= 0) {}
        Runtime.getRuntime().halt(0);
    }
}

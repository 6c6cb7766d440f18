package dev.penstock.observe;

import dev.penstock.Accounting;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.flow.Flow;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * Registers flows and pools as MBeans, for JConsole and other tools: {@code dev.penstock:type=Flow,name=payments} and {@code
 * dev.penstock:type=Pool,name=...}. If a name is taken, {@code ,instance=2} is added, and so on. Thread-safe.
 */
public final class PenstockJmx {
    private PenstockJmx() {}

    /** A pool of connections. */
    public interface PoolMXBean {
        /** {@return the connections by state} */
        Map<String, Long> getConnections();

        /** {@return the settings, each with its value and the reason for it} */
        Map<String, String> getSettings();
    }

    /** A flow. */
    public interface FlowMXBean extends PoolMXBean {
        /** {@return the number of transactions by ending and cause, and of those in flight, of one instant} */
        Accounting getAccounting();

        /** {@return the bottleneck stage, and how to relieve it} */
        String getBottleneck();

        /**
         * Pins a setting.
         *
         * @param name the name of the setting
         * @param value the value as in a flow file
         * @return the value and reason of the changed setting
         */
        String pin(String name, String value);

        /**
         * Unpins a setting.
         *
         * @param name the name of the setting
         * @return the value and reason of the changed setting
         */
        String unpin(String name);
    }

    /**
     * Registers flows of this program.
     *
     * @param flows the flows
     * @return close it to remove the MBeans
     */
    public static Binding register(Flow<?, ?>... flows) {
        return register(Stream.of(flows).map(EmbeddedFlow::new).toList());
    }

    /**
     * Registers flows.
     *
     * @param flows the flows
     * @return close it to remove the MBeans
     */
    public static Binding register(List<? extends WatchedFlow> flows) {
        List<Binding> all = flows.stream()
                .map(flow -> register("Flow", flow.name(), new FlowBean(flow)))
                .toList();
        return () -> all.forEach(Binding::close);
    }

    /**
     * Registers a pool, for instance a {@code GuardedDataSource}.
     *
     * @param pool the pool
     * @return close it to remove the MBean
     */
    public static Binding register(Target.Pool pool) {
        return register("Pool", pool.name(), new PoolBean(pool));
    }

    private static Binding register(String type, String name, Object bean) {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        for (int instance = 1; ; instance++) {
            ObjectName free = objectName(type, name, instance);
            try {
                server.registerMBean(bean, free);
                return () -> unregister(server, free);
            } catch (InstanceAlreadyExistsException taken) {
                // The next name.
            } catch (JMException e) {
                throw new IllegalStateException("cannot register " + free, e);
            }
        }
    }

    private static ObjectName objectName(String type, String name, int instance) {
        String shown = name.matches("[\\w.-]+") ? name : ObjectName.quote(name);
        try {
            return new ObjectName("dev.penstock:type=%s,name=%s%s"
                    .formatted(type, shown, instance == 1 ? "" : ",instance=" + instance));
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException("not the name of an MBean: " + name, e);
        }
    }

    private static void unregister(MBeanServer server, ObjectName name) {
        try {
            server.unregisterMBean(name);
        } catch (InstanceNotFoundException gone) {
            // Closed before.
        } catch (JMException e) {
            throw new IllegalStateException("cannot remove " + name, e);
        }
    }

    private record FlowBean(WatchedFlow flow) implements FlowMXBean {
        @Override
        public Accounting getAccounting() {
            return flow.snapshot().account();
        }

        @Override
        public String getBottleneck() {
            return flow.snapshot().bottleneck().sentence();
        }

        @Override
        public Map<String, Long> getConnections() {
            return flow.snapshot().connections();
        }

        @Override
        public Map<String, String> getSettings() {
            return byName(flow.snapshot().settings());
        }

        @Override
        public String pin(String name, String value) {
            return shown(flow.pin(name, value, "JMX"));
        }

        @Override
        public String unpin(String name) {
            return shown(flow.unpin(name));
        }
    }

    private record PoolBean(Target.Pool pool) implements PoolMXBean {
        @Override
        public Map<String, Long> getConnections() {
            return pool.connections();
        }

        @Override
        public Map<String, String> getSettings() {
            return byName(pool.settings());
        }
    }

    private static Map<String, String> byName(List<Setting> settings) {
        Map<String, String> all = new LinkedHashMap<>();
        settings.forEach(setting -> all.put(setting.name(), shown(setting)));
        return all;
    }

    private static String shown(Setting setting) {
        return setting.value() + ": " + setting.reason();
    }
}

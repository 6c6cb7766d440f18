package dev.penstock.spring;

import dev.penstock.Setting;
import dev.penstock.observe.FlowSnapshot;
import dev.penstock.observe.WatchedFlow;
import dev.penstock.observe.page.PageJson;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/** {@code /actuator/penstock}: the flows with their accounting, stages and settings, and pins of settings. */
@Endpoint(id = "penstock")
public final class PenstockEndpoint {
    private static final String BY = "the Actuator";

    private final PenstockFlows flows;

    PenstockEndpoint(PenstockFlows flows) {
        this.flows = flows;
    }

    /** {@return all flows} */
    @ReadOperation
    public Map<String, Object> all() {
        return Map.of(
                "flows", flows.flows().stream().map(PenstockEndpoint::shown).toList());
    }

    /**
     * {@return a flow; null if there is none, which is the status 404}
     *
     * @param flow its name
     */
    @ReadOperation
    public @Nullable Map<String, Object> one(@Selector String flow) {
        WatchedFlow found = find(flow);
        return found == null ? null : shown(found);
    }

    /**
     * Pins a setting until it is unpinned, or the application ends.
     *
     * @param flow the name of the flow
     * @param setting its name, for instance {@code limit}
     * @param value as in the properties
     * @return the setting after the change
     */
    @WriteOperation
    public Map<String, Object> pin(@Selector String flow, @Selector String setting, String value) {
        return change(flow, found -> found.pin(setting, value, BY));
    }

    /**
     * Unpins a setting.
     *
     * @param flow the name of the flow
     * @param setting its name
     * @return the setting after the change
     */
    @DeleteOperation
    public Map<String, Object> unpin(@Selector String flow, @Selector String setting) {
        return change(flow, found -> found.unpin(setting));
    }

    /** Null would be the status 204, as for success. */
    private Map<String, Object> change(String flow, Function<WatchedFlow, Setting> change) {
        WatchedFlow found = find(flow);
        try {
            if (found == null) {
                throw new IllegalArgumentException("there is no flow " + flow);
            }
            return PageJson.values(change.apply(found));
        } catch (IllegalArgumentException wrong) {
            String why = String.valueOf(wrong.getMessage());
            throw new InvalidEndpointRequestException(why, why);
        }
    }

    private @Nullable WatchedFlow find(String name) {
        return flows.flows().stream()
                .filter(flow -> flow.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static Map<String, Object> shown(WatchedFlow flow) {
        FlowSnapshot now = flow.snapshot();
        Map<String, Object> shown = PageJson.flow(now);
        shown.put("from", "this application");
        shown.put("settings", now.settings().stream().map(PageJson::values).toList());
        return shown;
    }
}

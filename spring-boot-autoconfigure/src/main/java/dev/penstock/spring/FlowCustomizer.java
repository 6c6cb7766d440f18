package dev.penstock.spring;

import dev.penstock.flow.FlowBuilder;

/**
 * Completes the stages of flows before they are built, with what properties cannot say. A bean of this type is asked about each
 * flow of {@code penstock.flows}, and about each flow that is made for a host. Several are asked in their order.
 *
 * <pre>{@code
 * @Bean
 * FlowCustomizer traced(OpenTelemetry telemetry) {
 *     return (name, stages) -> stages.observer(Traces.of(telemetry));
 * }
 * }</pre>
 */
@FunctionalInterface
public interface FlowCustomizer {
    /**
     * Completes the stages of a flow. What the properties say is set already.
     *
     * @param flow its name
     * @param stages the stages, without the target
     */
    void customize(String flow, FlowBuilder<Object> stages);
}

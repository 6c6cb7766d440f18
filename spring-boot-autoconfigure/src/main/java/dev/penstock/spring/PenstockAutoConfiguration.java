package dev.penstock.spring;

import dev.penstock.flow.Flow;
import dev.penstock.gateway.Gateway;
import dev.penstock.observe.PenstockJmx;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** The flows of {@code penstock.flows}, each as a bean of its name, or around the methods with {@link Flowed}. */
@AutoConfiguration
@RegisterReflection(classes = PenstockJmx.FlowMXBean.class, memberCategories = MemberCategory.INVOKE_PUBLIC_METHODS)
@ConditionalOnClass(Gateway.class)
@Import(FlowBeans.class)
public final class PenstockAutoConfiguration {
    static final String FLOWS = "penstockFlows";

    /** For Spring. */
    PenstockAutoConfiguration() {}

    @Bean(FLOWS)
    PenstockFlows penstockFlows(
            Environment environment, ObjectProvider<FlowCustomizer> customizers, ObjectProvider<Flow<?, ?>> beans) {
        return PenstockFlows.start(
                FlowProperties.of(environment), customizers.orderedStream().toList(), beans::stream);
    }

    @Bean
    static FlowedMethods penstockFlowedMethods(Environment environment, ObjectProvider<PenstockFlows> flows) {
        return new FlowedMethods(flows::getObject, FlowProperties.of(environment));
    }
}

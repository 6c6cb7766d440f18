package dev.penstock.spring;

import dev.penstock.flow.Flow;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a bean for each flow of {@code penstock.flows} with a target, under its name, or with {@code Flow} behind it if a bean has that
 * name already. The qualifier is its name in both cases.
 */
final class FlowBeans implements ImportBeanDefinitionRegistrar {
    private static final ResolvableType TYPE =
            ResolvableType.forClassWithGenerics(Flow.class, HttpCall.class, HttpAnswer.class);

    private final Environment environment;

    /** For Spring. */
    FlowBeans(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        for (String flow : FlowProperties.of(environment).flows()) {
            RootBeanDefinition bean = new RootBeanDefinition();
            bean.setTargetType(TYPE);
            bean.setFactoryBeanName(PenstockAutoConfiguration.FLOWS);
            bean.setFactoryMethodName("flow");
            bean.getConstructorArgumentValues().addIndexedArgumentValue(0, flow);
            bean.addQualifier(new AutowireCandidateQualifier(Qualifier.class, flow));
            registry.registerBeanDefinition(registry.containsBeanDefinition(flow) ? flow + "Flow" : flow, bean);
        }
    }
}

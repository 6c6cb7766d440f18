package dev.penstock.spring;

import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Sends calls of methods with {@link Flowed} through their flows, before all other interceptors, and reports those that it cannot. */
final class FlowedMethods extends AbstractBeanFactoryAwareAdvisingPostProcessor implements SmartInitializingSingleton {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(FlowedMethods.class);

    private final transient Supplier<PenstockFlows> flows;
    private final transient Set<String> names;
    private final transient Set<Class<?>> checked = ConcurrentHashMap.newKeySet();
    private final transient Set<String> used = ConcurrentHashMap.newKeySet();
    private final transient Map<MethodClassKey, Flow<MethodCall, Optional<Object>>> known = new ConcurrentHashMap<>();

    /**
     * @param flows of the application; asked at the first call
     * @param names of flows without a target
     */
    FlowedMethods(Supplier<PenstockFlows> flows, Set<String> names) {
        this.flows = flows;
        this.names = names;
        this.advisor = new DefaultPointcutAdvisor(
                new AnnotationMatchingPointcut(null, Flowed.class, true), (MethodInterceptor) this::invoke);
        setBeforeExistingAdvisors(true);
        setProxyTargetClass(true);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        Object proxy = super.postProcessAfterInitialization(bean, name);
        Class<?> type = AopUtils.getTargetClass(bean);
        if (isEligible(type) && checked.add(type)) {
            check(type);
        }
        return proxy;
    }

    private void check(Class<?> type) {
        Map<Method, Flowed> methods = MethodIntrospector.selectMethods(
                type, (MethodIntrospector.MetadataLookup<Flowed>) FlowedMethods::flowed);
        methods.forEach((method, flowed) -> {
            if (!names.contains(flowed.value())) {
                throw new BadFlowsException("@Flowed(\"" + flowed.value() + "\") of " + shown(method)
                        + ": penstock.flows has no flow of this name without 'to'; flows without: "
                        + new TreeSet<>(names));
            }
            if ((method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL)) != 0) {
                throw new BadFlowsException("@Flowed(\"" + flowed.value() + "\") of " + shown(method)
                        + ": a private, static or final method cannot be intercepted; make it none of these");
            }
            used.add(flowed.value());
        });
        OwnCalls.of(type, methods.keySet())
                .forEach(method -> LOG.warn(
                        "{} calls {} itself: such a call does not go through flow {}; move the method to another bean",
                        type.getName(),
                        shown(method),
                        Objects.requireNonNull(methods.get(method)).value()));
    }

    private static @Nullable Flowed flowed(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, Flowed.class);
    }

    private static String shown(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }

    /** Reports flows that no method uses: probably their target was forgotten. */
    @Override
    public void afterSingletonsInstantiated() {
        Set<String> unused = new HashSet<>(names);
        unused.removeAll(used);
        unused.forEach(flow -> LOG.warn(
                "flow {} has no target: add penstock.flows.{}.to.http.url, or a method with @Flowed(\"{}\")",
                flow,
                flow,
                flow));
    }

    private @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Method method = invocation.getMethod();
        Class<?> type = Objects.requireNonNull(invocation.getThis()).getClass();
        Flow<MethodCall, Optional<Object>> flow =
                known.computeIfAbsent(new MethodClassKey(method, type), _ -> find(method, type));
        try {
            return flow.call(new MethodCall((ProxyMethodInvocation) invocation)).orElse(null);
        } catch (Unanswered ending) {
            throw thrown(ending, method);
        }
    }

    private Flow<MethodCall, Optional<Object>> find(Method method, Class<?> type) {
        Flowed flowed = Objects.requireNonNull(flowed(AopUtils.getMostSpecificMethod(method, type)));
        return flows.get().methods(flowed.value());
    }

    /** What the method threw, or the ending if it declares that. */
    private static Throwable thrown(Unanswered ending, Method method) {
        Throwable cause = ending.getCause();
        if (ending instanceof Unknown unknown && unknown.why() == Unknown.Cause.ERROR && cause != null) {
            return cause;
        }
        boolean declared = Stream.of(method.getExceptionTypes()).anyMatch(type -> type.isInstance(ending));
        return declared ? ending : new UnansweredMethodException(ending);
    }
}

package dev.penstock.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ReflectionUtils;

/**
 * A method with {@link Flowed}.
 *
 * @param shown for messages
 * @param flow the name of its flow
 * @param key of {@link Flowed#key()}; null for none
 * @param batch of {@link Collapsed}; null for none
 * @param type what it returns
 */
record FlowedMethod(
        Method method,
        String shown,
        String flow,
        @Nullable Expression key,
        @Nullable Method batch,
        Type type) {
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    /**
     * Reads the annotations of a method; null without any.
     *
     * @param type the class of the bean
     * @throws BadFlowsException they are not valid
     */
    static @Nullable FlowedMethod of(Method method, Class<?> type) {
        Flowed flowed = AnnotatedElementUtils.findMergedAnnotation(method, Flowed.class);
        Collapsed collapsed = AnnotatedElementUtils.findMergedAnnotation(method, Collapsed.class);
        String name = method.getDeclaringClass().getName() + "." + method.getName();
        if (flowed == null) {
            if (collapsed != null) {
                throw bad("@Collapsed of " + name, "it has no @Flowed, which names the flow of the batches; add it");
            }
            return null;
        }
        String shown = "@Flowed(\"" + flowed.value() + "\") of " + name;
        checkIntercepted(method, shown);
        return new FlowedMethod(
                method,
                shown,
                flowed.value(),
                flowed.key().isEmpty() ? null : key(flowed.key(), shown),
                collapsed == null ? null : batch(method, collapsed.into(), type, "@Collapsed of " + name),
                GenericTypeResolver.resolveType(method.getGenericReturnType(), type));
    }

    private static void checkIntercepted(Method method, String shown) {
        if ((method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL)) != 0) {
            throw bad(shown, "a private, static or final method cannot be intercepted; make it none of these");
        }
    }

    private static Expression key(String key, String shown) {
        try {
            return PARSER.parseExpression(key);
        } catch (ParseException wrong) {
            throw bad(shown, "the key " + key + " is not an expression of Spring: " + wrong.getMessage());
        }
    }

    private static Method batch(Method method, String into, Class<?> type, String shown) {
        Method batch = ReflectionUtils.findMethod(type, into, List.class);
        if (batch == null || !List.class.isAssignableFrom(batch.getReturnType()) || method.getParameterCount() != 1) {
            throw bad(shown, "it must have one parameter, and " + type.getName() + " a method List " + into + "(List)");
        }
        checkIntercepted(batch, shown);
        return batch;
    }

    static BadFlowsException bad(String shown, String problem) {
        return new BadFlowsException(shown + ": " + problem);
    }

    /**
     * A call.
     *
     * @throws IllegalArgumentException it has no key
     */
    MethodCall call(ProxyMethodInvocation invocation) {
        String value = key == null ? null : key(invocation, key);
        MethodCall.Code code = () -> invocation.invocableClone().proceed();
        if (batch == null) {
            return new MethodCall(code, _ -> value, null, null); // a flow has one kind of key
        }
        Object proxy = invocation.getProxy();
        Method invocable = AopUtils.selectInvocableMethod(batch, proxy.getClass());
        return new MethodCall(
                code,
                _ -> value,
                new MethodCall.Batch(proxy, invocable),
                invocation.getArguments()[0]);
    }

    /** Two methods of a flow may have the same keys. */
    private String key(ProxyMethodInvocation invocation, Expression expression) {
        Object value = expression.getValue(
                new MethodBasedEvaluationContext(invocation.getThis(), method, invocation.getArguments(), NAMES));
        if (value == null) {
            throw new IllegalArgumentException(shown + ": the key " + expression.getExpressionString()
                    + " is null, so a repeat could not be recognized; was the class compiled with -parameters?");
        }
        return method.getDeclaringClass().getSimpleName() + "." + method.getName() + ":" + value;
    }
}

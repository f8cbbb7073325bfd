package io.lambdafs.door.hdfs;

import io.lambdafs.door.hdfs.metrics.DoorMetrics;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.io.retry.AtMostOnce;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link ClientProtocol} from the public methods of some objects, each with the name and the parameters of one
 * of the protocol's. A method that no object has throws an {@link UnsupportedOperationException}. Stateless.
 */
final class Answers {
    /** Methods that HDFS may execute again, but a door's open file may not. */
    private static final Set<String> ONCE_HERE = Set.of("addBlock", "complete");

    private Answers() {}

    private record Target(Object object, Method method, boolean once) {
        Object answer(Object[] arguments) throws Throwable {
            try {
                return method.invoke(object, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    static ClientProtocol of(List<Object> answering, RepeatedCalls repeated, DoorMetrics metrics) {
        Map<Method, Target> targets = new HashMap<>();
        for (Object each : answering) {
            Arrays.stream(each.getClass().getDeclaredMethods())
                    .filter(method -> Modifier.isPublic(method.getModifiers()))
                    .forEach(method -> {
                        Method asked = asked(method);
                        boolean once =
                                asked.isAnnotationPresent(AtMostOnce.class) || ONCE_HERE.contains(asked.getName());
                        if (targets.put(asked, new Target(each, method, once)) != null) {
                            throw new IllegalStateException(asked + " is answered twice");
                        }
                    });
        }
        return (ClientProtocol) Proxy.newProxyInstance(
                Answers.class.getClassLoader(), new Class<?>[] {ClientProtocol.class}, (proxy, asked, arguments) -> {
                    long since = System.nanoTime();
                    try {
                        return answer(asked, targets.get(asked), arguments, repeated);
                    } catch (Throwable e) {
                        metrics.failed(e);
                        throw e;
                    } finally {
                        metrics.answered(asked.getName(), System.nanoTime() - since);
                    }
                });
    }

    private static @Nullable Object answer(
            Method asked, @Nullable Target target, Object[] arguments, RepeatedCalls repeated) throws Throwable {
        if (target == null) {
            throw new UnsupportedOperationException(asked.getName() + " is not a thing that λFS does");
        }
        return target.once() ? repeated.once(() -> target.answer(arguments)) : target.answer(arguments);
    }

    private static Method asked(Method answer) {
        try {
            return ClientProtocol.class.getMethod(answer.getName(), answer.getParameterTypes());
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(answer + " answers no method of the protocol", e);
        }
    }
}

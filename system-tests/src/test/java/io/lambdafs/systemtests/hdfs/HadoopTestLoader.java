package io.lambdafs.systemtests.hdfs;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Objects;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.implementation.MethodCall;
import net.bytebuddy.implementation.StubMethod;
import net.bytebuddy.pool.TypePool;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.hdfs.server.namenode.FSAclBaseTest;
import org.apache.hadoop.hdfs.server.namenode.FSXAttrBaseTest;
import org.jspecify.annotations.Nullable;

/** Loads Hadoop's tests, and ours that extend them, with the AssertJ that they were compiled with, or ours alone; everything else is the JVM's. */
final class HadoopTestLoader extends URLClassLoader {
    private static final String OURS = HadoopContracts.class.getName();

    private final boolean alone;

    /** @param alone whether Hadoop's tests are loaded here, which keeps them from what only their packages see */
    HadoopTestLoader(boolean alone) {
        super(
                new URL[] {
                    Objects.requireNonNull(HadoopTestLoader.class.getResource("/hadoop-suites/assertj-core.jar")),
                    placeOf(AbstractFSContract.class),
                    placeOf(HadoopContracts.class)
                },
                HadoopTestLoader.class.getClassLoader());
        this.alone = alone;
    }

    private static URL placeOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    private boolean isOwn(String name) {
        return name.startsWith(OURS)
                || isAdapted(name)
                || (alone && name.startsWith("org.assertj."))
                || (alone
                        && name.startsWith("org.apache.hadoop.")
                        && findResource(name.replace('.', '/') + ".class") != null);
    }

    /** Returns whether a class is one that is adapted, or within one. */
    private static boolean isAdapted(String name) {
        return name.startsWith(FSAclBaseTest.class.getName()) || name.startsWith(FSXAttrBaseTest.class.getName());
    }

    /** As it is, but for what Hadoop's tests would ask of HDFS's own processes. */
    private Class<?> define(String name) throws ClassNotFoundException {
        if (!isAdapted(name)) {
            return findClass(name);
        }
        ClassFileLocator place = ClassFileLocator.ForClassLoader.of(this);
        byte[] bytes;
        try {
            bytes = name.contains("$") ? place.locate(name).resolve() : adapted(name, place);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    private static byte[] adapted(String name, ClassFileLocator place) {
        TypePool pool = TypePool.Default.of(place);
        TypeDescription ours =
                pool.describe(HadoopContractsOfUsers.class.getName()).resolve();
        return new ByteBuddy()
                .redefine(pool.describe(name).resolve(), place)
                .method(named("restart").or(named("initCluster")).or(named("restartCluster")))
                .intercept(StubMethod.INSTANCE)
                .method(named("assertAclFeature").and(takesArguments(2)))
                .intercept(MethodCall.invoke(ours.getDeclaredMethods()
                                .filter(named("assertAcl"))
                                .getOnly())
                        .withAllArguments())
                .make()
                .getBytes();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!isOwn(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            @Nullable Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }
}

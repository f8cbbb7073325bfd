package io.lambdafs.systemtests.hdfs;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.Objects;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.jspecify.annotations.Nullable;

/** Loads Hadoop's tests, and ours that extend them, with the AssertJ that they were compiled with; everything else is the JVM's. */
final class HadoopTestLoader extends URLClassLoader {
    private static final String OURS = HadoopContracts.class.getName();

    HadoopTestLoader() {
        super(
                new URL[] {
                    Objects.requireNonNull(HadoopTestLoader.class.getResource("/hadoop-suites/assertj-core.jar")),
                    placeOf(AbstractFSContract.class),
                    placeOf(HadoopContracts.class)
                },
                HadoopTestLoader.class.getClassLoader());
    }

    private static URL placeOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    private boolean isOwn(String name) {
        return name.startsWith("org.assertj.")
                || name.startsWith(OURS)
                || (name.startsWith("org.apache.hadoop.") && findResource(name.replace('.', '/') + ".class") != null);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!isOwn(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            @Nullable Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }
}

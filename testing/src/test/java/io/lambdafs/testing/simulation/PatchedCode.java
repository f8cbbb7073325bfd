package io.lambdafs.testing.simulation;

import java.io.IOException;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The project's classes, some of them compiled anew from changed sources, in a class loader of their own. */
final class PatchedCode implements AutoCloseable {
    private static final String PROJECT = "io.lambdafs.";

    private final OwnFirst loader;

    private PatchedCode(OwnFirst loader) {
        this.loader = loader;
    }

    /** Everything of this project from here, whatever it uses from outside. */
    private static final class OwnFirst extends URLClassLoader {
        OwnFirst(List<URL> places) {
            super(places.toArray(URL[]::new), PatchedCode.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(PROJECT)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                return known != null ? known : findClass(name);
            }
        }
    }

    /**
     * Compiles sources against the class path of this process.
     *
     * @param sources text by path from the root of the checkout
     * @param folder empty; takes sources and classes
     */
    static PatchedCode compile(Map<String, String> sources, Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = folder.resolve("sources").resolve(source.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, source.getValue());
            files.add(file);
        }
        Path classes = Files.createDirectories(folder.resolve("classes"));
        String path = System.getProperty("java.class.path");
        List<String> options = List.of(
                "--release", "17", "-proc:none", "-nowarn", "-parameters", "-cp", path, "-d", classes.toString());
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean done = compiler.getTask(
                            messages, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                    .call();
            if (!done) {
                throw new IllegalStateException("the changed sources do not compile:\n" + messages);
            }
        }
        List<URL> places = new ArrayList<>();
        places.add(classes.toUri().toURL());
        for (String place : path.split(java.io.File.pathSeparator)) {
            places.add(url(place));
        }
        return new PatchedCode(new OwnFirst(places));
    }

    private static URL url(String place) throws MalformedURLException {
        return Path.of(place).toUri().toURL();
    }

    /** The first seed of a range under which the scenario goes wrong; -1 if it never does. */
    long firstFailing(Class<?> scenario, long firstSeed, int seeds) throws ReflectiveOperationException {
        return (long) loader.loadClass(scenario.getName())
                .getMethod("firstFailing", long.class, int.class)
                .invoke(null, firstSeed, seeds);
    }

    /** Runs the static method {@code run()} of a class. */
    void run(String className) throws ReflectiveOperationException {
        loader.loadClass(className).getMethod("run").invoke(null);
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}

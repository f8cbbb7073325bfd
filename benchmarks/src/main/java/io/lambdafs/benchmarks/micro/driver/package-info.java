/**
 * The measuring process of {@code lambdafs bench micro}: one per file system, controlled by lines of JSON on its
 * standard input. It runs with the jars of any file system, so it uses nothing of this project but the model of
 * operations and, for λFS's own interface, the client.
 */
@NullMarked
package io.lambdafs.benchmarks.micro.driver;

import org.jspecify.annotations.NullMarked;

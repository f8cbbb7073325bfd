/** A cluster's settings: what a file and options may set, what holds for each of its services, and the directory that keeps them. {@link io.lambdafs.cluster.settings.ClusterSettings} is the entry. */
@NullMarked
package io.lambdafs.cluster.settings;

import org.jspecify.annotations.NullMarked;

/** The rows of deployments and their instances: their number, which live, and which leases are confirmed. */
@NullMarked
package io.lambdafs.store.instance;

import org.jspecify.annotations.NullMarked;

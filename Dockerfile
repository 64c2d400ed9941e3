# The command line, small and without root: docker run --rm -v "$PWD:/work" assay run --config harness.config.yaml
FROM node:22-alpine AS build
WORKDIR /assay
COPY package.json package-lock.json tsconfig.json tsconfig.build.json ./
COPY .ci/bundle.mjs .ci/clean-dist.mjs .ci/derive.mjs .ci/
COPY docs/accuracy.json docs/
COPY src src
COPY suites suites
COPY fixtures fixtures
RUN npm ci --ignore-scripts --no-audit --no-fund && npm run build && npm prune --omit=dev --ignore-scripts

FROM node:22-alpine
ENV NODE_ENV=production
WORKDIR /assay
COPY --from=build /assay/package.json ./
COPY --from=build /assay/node_modules node_modules
COPY --from=build /assay/dist dist
COPY suites suites
COPY fixtures/contracts fixtures/contracts
COPY harness.config.yaml ./
USER node
WORKDIR /work
ENTRYPOINT ["node", "/assay/dist/src/cli/main.js"]
CMD ["--help"]
